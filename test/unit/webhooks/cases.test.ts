import { describe, expect, it } from '@jest/globals';
import { ask } from '../../support/admission.js';
import { titled } from '../../support/admission-cases/index.js';

describe('the rules of admission, asked directly, say what the table of cases says', () => {
  it.each(titled)('%s', (_, { operation, object, old, hosts, refusals, warnings }) => {
    const found = ask(operation, object, old, { hosts: hosts === 'unknown' ? undefined : hosts });
    expect(found.refusals).toEqual(refusals.map((message) => expect.stringMatching(message)));
    if (warnings) expect(found.warnings).toEqual(warnings.map((message) => expect.stringMatching(message)));
  });
});
