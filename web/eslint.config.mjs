// The one linter: ESLint's and typescript-eslint's recommended rules over all JavaScript and TypeScript here.
// It must not know style: formatting is nobody's business but the editor's.
import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/build/**'] },
  eslint.configs.recommended,
  ...tseslint.configs.recommended,
  {
    rules: {
      eqeqeq: 'error',
      'no-eval': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'Text of the user enters the page as text nodes only.' },
        { property: 'outerHTML', message: 'Text of the user enters the page as text nodes only.' },
        { property: 'insertAdjacentHTML', message: 'Text of the user enters the page as text nodes only.' },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', fetch: 'readonly', WebAssembly: 'readonly', Buffer: 'readonly', TextDecoder: 'readonly', TextEncoder: 'readonly', performance: 'readonly' },
    },
  },
);
