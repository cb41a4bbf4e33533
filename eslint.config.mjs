import tseslint from 'typescript-eslint';

/** Clock and randomness come from src/clock.ts alone, so that tests can drive both. */
const injectedOnly = [
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: 'Take a Clock (src/clock.ts).' },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take a Clock (src/clock.ts).' },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Take a Random (src/clock.ts).',
  },
  { selector: "MemberExpression[object.name='performance']", message: 'Take a Clock (src/clock.ts).' },
];
const timers = ['setTimeout', 'setInterval', 'setImmediate'].map((name) => ({
  name,
  message: 'Take a Clock (src/clock.ts).',
}));

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', 'charts/'] },
  {
    files: ['src/**/*.ts', 'machines/**/*.ts', 'test/**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-lines': ['error', 500],
      complexity: ['error', 10],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      // XState's `types: {} as …` looks unnecessary to it, and removing that drops every type of a chart.
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['src/**/*.ts', 'machines/**/*.ts'],
    ignores: ['src/clock.ts'],
    rules: { 'no-restricted-syntax': ['error', ...injectedOnly], 'no-restricted-globals': ['error', ...timers] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
);
