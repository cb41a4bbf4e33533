/** The conversations of this folder with the embedded server; test/real/ironic holds them with a real one. */
import { describe } from '@jest/globals';
import { startEmbedded } from '../../support/ironic-api/embedded-target.js';
import { conformance } from './suite.js';

describe('the embedded Ironic', () => conformance(startEmbedded));
