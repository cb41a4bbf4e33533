/**
 * Node as the tests see it, with the language's own names at hand. A test file runs in a context of its own, in which every use of a
 * global name is a call out of the engine; a name that is declared in the context is none. What a test might replace (timers, `Date`,
 * `process`, `console`) is left as it is.
 */
import { runInContext } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const names = [
  ...['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'RegExp', 'Math', 'JSON'],
  ...[
    'Map',
    'Set',
    'WeakMap',
    'WeakSet',
    'WeakRef',
    'Promise',
    'Proxy',
    'Reflect',
    'Intl',
    'ArrayBuffer',
    'Uint8Array',
  ],
  ...['Error', 'TypeError', 'RangeError', 'SyntaxError', 'parseInt', 'parseFloat', 'isNaN', 'isFinite'],
  ...['encodeURIComponent', 'decodeURIComponent', 'Buffer', 'URL', 'AbortController', 'AbortSignal', 'structuredClone'],
];

export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    runInContext(names.map((name) => `const ${name} = globalThis.${name};`).join('\n'), this.getVmContext());
  }
}
