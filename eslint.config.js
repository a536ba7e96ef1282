import js from "@eslint/js";
import globals from "globals";

const noHtml = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"];

export default [
  { ignores: ["static/build/**", "node_modules/**", ".venv/**"] },
  js.configs.recommended,
  {
    files: ["static/js/**/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    rules: {
      eqeqeq: "error", "no-var": "error", "prefer-const": "error", curly: ["error", "multi-line"],
      "no-restricted-properties": ["error", ...noHtml.map((property) => ({ property, message: "What a program makes is inserted as text." }))],
    },
  },
  {
    files: ["static/js/trace/**/*.js", "static/js/player/**/*.js"],
    languageOptions: { globals: { document: "off", window: "off" } },
  },
  { files: ["static/js/theme.js"], languageOptions: { sourceType: "script" } },
  { files: ["static/js/editor/bundle.mjs", "tests/js/**/*.mjs", "tests/xray/*.mjs", "*.js"], languageOptions: { globals: globals.node } },
];
