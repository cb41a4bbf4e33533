import base from '../../../jest.config.mjs';

export default {
  ...base,
  rootDir: '../../..',
  roots: ['<rootDir>/test/real/kube'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 240_000,
  reporters: ['default', '<rootDir>/test/real/kube/count-reporter.mjs'],
};
