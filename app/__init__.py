"""Everything around the engine: runner, layout, web pages, command line. It reads traces and never runs user code."""
