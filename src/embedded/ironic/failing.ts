import { failureText, missingDriverInfo, stepId, unreachableBmc, wrongCredentials } from './failure-texts.js';
import { unfitForAdoption } from './validation.js';
import type { FaultTable } from './fault-table.js';
import type { NodeRecord, Step, Work } from './node-record.js';
import type { Phase, Plan } from './plans.js';
import { pythonText } from './json.js';
import { refusedStep, unknownStep } from './step-effects.js';

/** How a procedure ends badly. */
export interface Outcome {
  text: string;
  /** Milliseconds, unscaled, until last_error can be read. */
  delayMs: number;
  /** Whether it also sets the plan's fault and maintenance. */
  faulty: boolean;
}

/** Decides at the end of each phase whether it failed: by the machine, by the request's steps, or by an injected fault. */
export class Failing {
  constructor(private readonly faults: FaultTable) {}

  of(node: NodeRecord, work: Work, plan: Plan, phase: Phase): Outcome | null {
    return (
      (work.phase === 0 ? this.atStart(node, work, plan) : null) ??
      (phase.mayFail ? this.injected(node, work, plan) : null)
    );
  }

  /** The text of an abort, which names the step that it cut short. */
  abortText(node: NodeRecord): string {
    const { clean_step, deploy_step, service_step, provision_state } = node.fields;
    if (provision_state === 'inspect wait') return 'Inspection was aborted by request.';
    const what = provision_state.startsWith('clean')
      ? 'clean'
      : provision_state.startsWith('serv')
        ? 'service'
        : 'deploy';
    const step = { clean: clean_step, deploy: deploy_step, service: service_step }[what];
    const during = 'step' in step ? ` during or after the completion of step "${stepId(step as Step)}"` : '';
    return `By request, the ${what} operation was aborted${during}`;
  }

  private atStart(node: NodeRecord, work: Work, plan: Plan): Outcome | null {
    const missing = plan.step === 'verify' ? missingDriverInfo(node) : null;
    if (missing !== null) {
      const text = `Failed to validate power driver interface for node ${node.fields.uuid}. Error: ${missing}`;
      return { text, delayMs: 0, faulty: false };
    }
    const unfit = plan.step === 'adopt' ? unfitForAdoption(node) : null;
    if (unfit !== null) return { text: unfit, delayMs: 0, faulty: false };
    const bmc = this.faults.bmcOf(node);
    if (bmc.kind !== 'ok') {
      const cause = bmc.kind === 'unreachable' ? unreachableBmc(node) : wrongCredentials(node);
      return this.worded(node, work, plan, cause, 0);
    }
    return this.badSteps(node, work, plan);
  }

  private badSteps(node: NodeRecord, work: Work, plan: Plan): Outcome | null {
    if (plan.step !== 'clean' && plan.step !== 'service') return null;
    const unknown = unknownStep(node, work.steps);
    if (unknown) {
      const text =
        `Cannot ${plan.step} node ${node.fields.uuid}: node does not support this ${plan.step} step: ` +
        pythonText(unknown);
      return { text, delayMs: 0, faulty: false };
    }
    const refusal = refusedStep(node, work.steps);
    return refusal === null ? null : this.worded(node, work, plan, refusal, 0);
  }

  private injected(node: NodeRecord, work: Work, plan: Plan): Outcome | null {
    const failure = this.faults.take(node, plan.step);
    return failure && this.worded(node, work, plan, failure.text, failure.errorDelaySeconds * 1000);
  }

  private worded(node: NodeRecord, work: Work, plan: Plan, cause: string, delayMs: number): Outcome {
    return { text: failureText(plan.step, node, work.steps, cause), delayMs, faulty: true };
  }
}
