/** The actors of the chart of a claim: each hands over to the pass that it runs in. */
import { createActor, fromPromise, toPromise } from 'xstate';
import { type ClaimContext, type ClaimStanding, hostClaimMachine } from '../../../machines/index.js';
import type { ClaimPass } from './claim-pass.js';

const actor = <T>(work: (pass: ClaimPass, context: ClaimContext) => Promise<T>) =>
  fromPromise<T, ClaimContext>(({ input }) => work(input.services as ClaimPass, input));

/** A chart that takes or reads a choice has one. */
function choiceIn({ choice }: ClaimContext) {
  if (choice === undefined) throw new Error('no host was chosen');
  return choice;
}

function boundIn({ observed: { bound } }: ClaimContext) {
  if (bound === undefined) throw new Error('the claim has no host');
  return bound;
}

export const providedHostClaimMachine = hostClaimMachine.provide({
  actors: {
    catchUp: actor((pass) => pass.catchUp()),
    chooseHost: actor((pass) => pass.chooseHost()),
    noteChoice: actor((pass, context) => pass.noteChoice(choiceIn(context))),
    takeHost: actor((pass, context) => pass.takeHost(choiceIn(context))),
    readNoted: actor((pass, context) => pass.readNoted(choiceIn(context))),
    readBound: actor((pass, context) => pass.readBound(boundIn(context))),
    releaseHosts: actor((pass, { observed }) => pass.releaseHosts(observed)),
    letGo: actor((pass) => pass.letGo()),
    recordStanding: actor((pass, { standing }) => pass.recordStanding(standing)),
  },
});

/** From where the claim stands to the end of the pass. @throws what an actor threw; what was written by then stays */
export function runClaim(pass: ClaimPass): Promise<ClaimStanding> {
  const running = createActor(providedHostClaimMachine, { input: { observed: pass.observed(), services: pass } });
  const ended = toPromise(running);
  running.start();
  return ended;
}
