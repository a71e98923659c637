import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'tools/clients/programs/', 'site/', 'test/tools/chaos/', 'node_modules/', 'coverage/', '.cache/'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { project: ['./tsconfig.json', './tools/inspector/page/tsconfig.json', './tools/browser/tsconfig.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-explicit-any': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // JSON is a union in which an object is possible everywhere; where text is made of it, a scalar is known to stand there.
      '@typescript-eslint/no-base-to-string': 'off',
    },
  },
  {
    files: ['test/**'],
    rules: {
      // Matchers such as `expect.any(Number)` are of type any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // One plain script of several files, which see each other's names.
    files: ['tools/browser/**'],
    languageOptions: { sourceType: 'script' },
    rules: { '@typescript-eslint/no-unused-vars': ['error', { vars: 'local' }] },
  },
  // Configuration files belong to no TypeScript project.
  { files: ['*.js', 'test/support/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
