// How long Assimp takes to read a file: the best of some runs, in milliseconds, on standard output.
//
// In:  how many runs, and the file.
// Out: one number, or exit code 1 when Assimp does not read the file.
//
// Each run has an importer of its own and ends when the scene is there. The file comes from the
// system's cache. The steps asked for are those that Sinew always takes: triangles, and normals
// where there are none.

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int count, char **arguments) {
    if (count != 3) {
        std::fprintf(stderr, "usage: %s RUNS FILE\n", arguments[0]);
        return 2;
    }
    double best = 1e30;
    for (int run = std::max(1, std::atoi(arguments[1])); run > 0; --run) {
        Assimp::Importer importer;
        const auto start = std::chrono::steady_clock::now();
        const bool read = importer.ReadFile(
            arguments[2], aiProcess_Triangulate | aiProcess_GenSmoothNormals) != nullptr;
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
        if (!read) {
            std::fprintf(stderr, "%s\n", importer.GetErrorString());
            return 1;
        }
        best = std::min(best, time.count());
    }
    std::printf("%.4f\n", best);
}
