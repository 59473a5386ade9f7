// What ufbx needs of a C library, for wasm32-unknown-unknown, which has none.
//
// Included before ufbx.c by the compiler's -include. Mathematics and memcpy are those that Rust's
// compiler_builtins brings along; memory comes from the module's own pages and is kept for the next file.
#pragma once
#define UFBX_NO_LIBC
#define UFBX_NO_STDIO
#define UFBX_NO_EXTERNAL_MATH
#define UFBX_NO_EXTERNAL_STRING
#define UFBX_NO_EXTERNAL_MALLOC
#include <stddef.h>
#include <stdint.h>

#define UFBX_MATH_PREFIX web_
#define UFBX_STRING_PREFIX web_
#define ufbx_malloc(size) web_malloc((size))
#define ufbx_realloc(ptr, old_size, new_size) web_realloc((ptr), (old_size), (new_size))
#define ufbx_free(ptr, old_size) web_free((ptr), (old_size))

static inline double web_sqrt(double x) { return __builtin_sqrt(x); }
static inline double web_sin(double x) { return __builtin_sin(x); }
static inline double web_cos(double x) { return __builtin_cos(x); }
static inline double web_tan(double x) { return __builtin_tan(x); }
static inline double web_asin(double x) { return __builtin_asin(x); }
static inline double web_acos(double x) { return __builtin_acos(x); }
static inline double web_atan(double x) { return __builtin_atan(x); }
static inline double web_fabs(double x) { return __builtin_fabs(x); }
static inline double web_rint(double x) { return __builtin_rint(x); }
static inline double web_floor(double x) { return __builtin_floor(x); }
static inline double web_ceil(double x) { return __builtin_ceil(x); }
static inline double web_atan2(double x, double y) { return __builtin_atan2(x, y); }
static inline double web_pow(double x, double y) { return __builtin_pow(x, y); }
static inline double web_fmin(double x, double y) { return __builtin_fmin(x, y); }
static inline double web_fmax(double x, double y) { return __builtin_fmax(x, y); }
static inline double web_copysign(double x, double y) { return __builtin_copysign(x, y); }
static inline int web_isnan(double x) { return x != x; }

static inline void *web_memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
static inline void *web_memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
static inline void *web_memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }
static inline int web_memcmp(const void *a, const void *b, size_t count) { return __builtin_memcmp(a, b, count); }

static inline size_t web_strlen(const char *text) {
	size_t length = 0;
	while (text[length]) length++;
	return length;
}

static inline const void *web_memchr(const void *memory, int value, size_t count) {
	const unsigned char *bytes = (const unsigned char *)memory;
	for (size_t at = 0; at < count; at++) {
		if (bytes[at] == (unsigned char)value) return bytes + at;
	}
	return 0;
}

static inline int web_strncmp(const char *a, const char *b, size_t count) {
	for (size_t at = 0; at < count; at++) {
		unsigned char left = (unsigned char)a[at], right = (unsigned char)b[at];
		if (left != right) return left < right ? -1 : 1;
		if (!left) return 0;
	}
	return 0;
}

static inline int web_strcmp(const char *a, const char *b) { return web_strncmp(a, b, (size_t)-1); }

// The next number from x towards y: one step in the order of the bits.
static inline double web_nextafter(double x, double y) {
	if (x != x || y != y) return x + y;
	if (x == y) return y;
	union { double number; int64_t bits; } step = { x };
	if (x == 0.0) {
		step.bits = 1;
		return y > 0.0 ? step.number : -step.number;
	}
	step.bits += ((y > x) == (x > 0.0)) ? 1 : -1;
	return step.number;
}

// Blocks of powers of two, from 64 bytes up; a list of free ones for each size. ufbx asks for few and large
// blocks, and says a block's size when it gives it back.
static void *web_free_blocks[32];
static unsigned char *web_rest, *web_rest_end;

static inline unsigned web_class(size_t size) {
	return size <= 64 ? 6 : 32 - (unsigned)__builtin_clz((unsigned)(size - 1));
}

static void *web_malloc(size_t size) {
	unsigned kind = web_class(size);
	if (kind >= 31) return 0;
	void *block = web_free_blocks[kind];
	if (block) {
		web_free_blocks[kind] = *(void **)block;
		return block;
	}
	size_t bytes = (size_t)1 << kind;
	if ((size_t)(web_rest_end - web_rest) < bytes) {
		size_t pages = ((bytes > 1048576 ? bytes : 1048576) + 65535) / 65536;
		size_t first = __builtin_wasm_memory_grow(0, pages);
		if (first == (size_t)-1) return 0;
		web_rest = (unsigned char *)(first * 65536);
		web_rest_end = web_rest + pages * 65536;
	}
	block = web_rest;
	web_rest += bytes;
	return block;
}

static void web_free(void *block, size_t size) {
	if (!block) return;
	unsigned kind = web_class(size);
	*(void **)block = web_free_blocks[kind];
	web_free_blocks[kind] = block;
}

static void *web_realloc(void *block, size_t old_size, size_t new_size) {
	if (block && web_class(old_size) == web_class(new_size)) return block;
	void *moved = web_malloc(new_size);
	if (!moved || !block) return moved;
	__builtin_memcpy(moved, block, old_size < new_size ? old_size : new_size);
	web_free(block, old_size);
	return moved;
}
