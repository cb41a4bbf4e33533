import { availableParallelism } from 'node:os';

const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
  ],
};

export default {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // More than there are processors: the tests of whole operators wait for half of their time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Modules of ended test files stay in memory, and to look through them takes a third of all processor time: a process that has
  // grown so large is replaced.
  workerIdleMemoryLimit: '400MB',
  // For what hangs, and nothing else: it is in real time, of which a busy machine may give a test little.
  testTimeout: 30_000,
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform,
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/real/'],
  collectCoverageFrom: ['src/**/*.ts', 'machines/**/*.ts'],
  coverageReporters: ['text-summary', 'text'],
};
