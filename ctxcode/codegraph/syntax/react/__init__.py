"""What calls of React and Redux make of functions in JavaScript and TypeScript. Entry points: all functions."""
