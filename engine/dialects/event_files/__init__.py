"""TensorBoard's event files, which both dialects write: records of protocol buffers, with NumPy alone."""
