/** What a controller is going to refuse of an object, though its schema and the rules of admission have nothing against it. */
import { apiGroup, kinds } from '../apis/index.js';
import { rosterOf } from '../controllers/bare-metal-switch/index.js';
import { policyOf } from '../controllers/host-claim/index.js';
import type { KubeObject } from '../kube/index.js';

/**
 * Texts that begin with the path of a field; an object by itself is looked at, without its neighbours and its Secrets.
 * @param object one that fits its schema
 */
export function foreseen(
  { group, kind }: { readonly group: string; readonly kind: string },
  object: KubeObject,
): string[] {
  if (group !== apiGroup) return [];
  const problem = kind === kinds.bareMetalSwitch.kind ? switchProblem(object) : policyProblem(kind, object);
  return problem === undefined ? [] : [problem];
}

function switchProblem(object: KubeObject): string | undefined {
  const [listed] = rosterOf([object], object.metadata.namespace ?? '', []);
  return listed?.trouble?.message;
}

function policyProblem(kind: string, object: KubeObject): string | undefined {
  return kind === kinds.hostDeployPolicy.kind ? policyOf(object).problem : undefined;
}
