import { afterAll, beforeAll, describe } from '@jest/globals';
import { customResourceDefinitions } from '../../../src/apis/index.js';
import { admission } from '../../../src/cli/admission.js';
import type { HostView } from '../../../src/webhooks/rules/index.js';
import { caseNamespace } from '../../support/admission-cases/index.js';
import { type EmbeddedTarget, startEmbedded } from '../../support/kube-api/embedded-target.js';
import { admissionCasesSuite } from './cases.suite.js';

describe('an embedded API server with rules', () => {
  let target: EmbeddedTarget;
  let hosts: readonly HostView[] | undefined;
  let isJudging = true;
  const judged = admission(() => hosts);

  beforeAll(async () => {
    const crds = customResourceDefinitions() as never;
    target = await startEmbedded({ crds, admit: (question) => (isJudging ? judged(question) : undefined) });
    await target.client.post('/api/v1/namespaces', { metadata: { name: caseNamespace } });
  });
  afterAll(() => target.stop());

  admissionCasesSuite(() => ({
    client: target.client,
    know: (known) => void (hosts = known),
    unjudged: async (write) => {
      isJudging = false;
      try {
        return await write(target.client);
      } finally {
        isJudging = true;
      }
    },
  }));
});
