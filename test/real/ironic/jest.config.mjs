import base from '../../../jest.config.mjs';

export default {
  ...base,
  rootDir: '../../..',
  roots: ['<rootDir>/test/real/ironic'],
  testPathIgnorePatterns: ['/node_modules/'],
  testSequencer: '<rootDir>/test/real/ironic/longest-first.mjs',
  testTimeout: 300_000,
  reporters: ['default', '<rootDir>/test/real/kube/count-reporter.mjs'],
};
