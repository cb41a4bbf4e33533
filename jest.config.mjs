const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
  ],
};

export default {
  testEnvironment: 'node',
  // Most of a test's time is waiting.
  maxWorkers: '100%',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform,
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/real/'],
  collectCoverageFrom: ['src/**/*.ts', 'machines/**/*.ts'],
  coverageReporters: ['text-summary', 'text'],
};
