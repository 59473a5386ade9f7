//! Arrays from and to Python: float32, C order, nothing copied on the way out.
//!
//! In:  whatever numpy can take for an array.
//! Out: slices, or a `ValueError` that says what was expected and found.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::bad;

/// The most numbers in one array: 32 GiB.
const MAX_NUMBERS: usize = 8 << 30;

/// Numbers of any real type, as float32.
pub(crate) fn floats<'py>(
    what: &str,
    object: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    Ok(array(what, object, "float32")?.cast_into::<PyArrayDyn<f32>>()?.readonly())
}

fn array<'py>(what: &str, object: &Bound<'py, PyAny>, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    let numpy = object.py().import("numpy")?;
    let given = numpy
        .call_method1("asarray", (object,))
        .map_err(|error| bad(format!("{what}: expected an array of numbers: {error}")))?;
    let kind: String = given.getattr("dtype")?.getattr("kind")?.extract()?;
    if !["f", "i", "u"].contains(&kind.as_str()) {
        let found = given.getattr("dtype")?.str()?;
        return Err(bad(format!("{what}: expected an array of real numbers, found dtype {found}")));
    }
    let options = PyDict::new(object.py());
    options.set_item("dtype", dtype)?;
    numpy.call_method("ascontiguousarray", (given,), Some(&options))
}

/// Moments in seconds: a number, or a list of them.
pub(crate) fn times(object: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
    let array = floats("times", object)?;
    let shape = array.as_array().shape().to_vec();
    if shape.len() > 1 {
        return Err(bad(format!("times: expected one axis, found shape {}", shown(&shape))));
    }
    let times = slice(&array)?.to_vec();
    match times.iter().position(|time| !time.is_finite()) {
        Some(at) => Err(bad(format!("times: expected seconds, found {} at {at}", times[at]))),
        None => Ok(times),
    }
}

/// The numbers of an array in C order.
pub(crate) fn slice<'a>(array: &'a PyReadonlyArrayDyn<'_, f32>) -> PyResult<&'a [f32]> {
    array.as_slice().map_err(|error| bad(error.to_string()))
}

/// The same, where every one is finite.
pub(crate) fn finite<'a>(
    what: &str,
    array: &'a PyReadonlyArrayDyn<'_, f32>,
) -> PyResult<&'a [f32]> {
    let numbers = slice(array)?;
    let Some(mut at) = numbers.iter().position(|number| !number.is_finite()) else {
        return Ok(numbers);
    };
    let found = numbers[at];
    let mut place = Vec::new();
    for &size in array.as_array().shape().iter().rev() {
        place.push(at % size);
        at /= size;
    }
    place.reverse();
    Err(bad(format!("{what}: expected finite numbers, found {found} at {place:?}")))
}

/// A new array of this shape, from its numbers: they are not copied.
pub(crate) fn shaped<'py, T: numpy::Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    PyArray1::from_vec(py, numbers).reshape(shape.to_vec())
}

/// How many numbers an array of this shape has.
pub(crate) fn count(shape: &[usize]) -> PyResult<usize> {
    let product = shape.iter().try_fold(1_usize, |all, &size| all.checked_mul(size));
    product.filter(|&all| all <= MAX_NUMBERS).ok_or_else(|| {
        bad(format!("expected an array of at most 32 GiB, found one of shape {}", shown(shape)))
    })
}

/// An array's numbers before they are worked out; a `MemoryError` where there is no room for so many.
pub(crate) fn zeros<T: Clone + Default>(shape: &[usize]) -> PyResult<Vec<T>> {
    let mut numbers = room(shape)?;
    numbers.resize(numbers.capacity(), T::default());
    Ok(numbers)
}

/// The same, empty.
pub(crate) fn room<T>(shape: &[usize]) -> PyResult<Vec<T>> {
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(count(shape)?).map_err(|_| {
        let shape = shown(shape);
        PyMemoryError::new_err(format!("there is no memory for an array of shape {shape}"))
    })?;
    Ok(numbers)
}

/// Fills an array of this shape: the caller's, or a new one. `job` writes every number of it.
pub(crate) fn fill<'py>(
    py: Python<'py>,
    shape: &[usize],
    out: Option<&Bound<'py, PyAny>>,
    job: impl FnOnce(&mut [f32]) -> PyResult<()> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    count(shape)?;
    // numpy's own memory comes in huge pages: to be given it page by page costs more than to sample into it.
    let array = match out {
        Some(out) => out.clone(),
        None => py.import("numpy")?.call_method1("empty", (shape, "float32"))?,
    };
    let mut room = writable(&array, shape)?;
    let numbers = room.as_slice_mut().map_err(|error| bad(error.to_string()))?;
    crate::error::work(py, || job(numbers))?;
    Ok(array)
}

fn writable<'py>(
    out: &Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<PyReadwriteArrayDyn<'py, f32>> {
    let wrong = |found: String| {
        bad(format!(
            "out: expected a writable float32 array of shape {} in C order, found {found}",
            shown(shape)
        ))
    };
    let array = out.cast::<PyArrayDyn<f32>>().map_err(|_| {
        let dtype = out.getattr("dtype").and_then(|dtype| dtype.str().map(|name| name.to_string()));
        wrong(dtype.map_or_else(|_| out.get_type().to_string(), |name| format!("dtype {name}")))
    })?;
    let array = array.try_readwrite().map_err(|error| wrong(error.to_string()))?;
    let found = array.as_array().shape().to_vec();
    if found != shape {
        return Err(wrong(format!("shape {}", shown(&found))));
    }
    if !array.as_array().is_standard_layout() {
        return Err(wrong("another order".into()));
    }
    Ok(array)
}

/// A shape as Python writes it.
pub(crate) fn shown(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    match sizes.as_slice() {
        [one] => format!("({one},)"),
        _ => format!("({})", sizes.join(", ")),
    }
}
