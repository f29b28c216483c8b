"""What Cython has in capsules: the type of a function, and where it is."""
import ctypes


def _api(function, result, *arguments):
    function.restype, function.argtypes = result, [ctypes.py_object, *arguments]
    return function


NAME = _api(ctypes.pythonapi.PyCapsule_GetName, ctypes.c_char_p)
POINTER = _api(ctypes.pythonapi.PyCapsule_GetPointer, ctypes.c_void_p, ctypes.c_char_p)
