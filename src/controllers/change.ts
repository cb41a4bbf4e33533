/** Which changes of an object its controller has to look at. */
import { isSame } from '../../machines/index.js';
import type { KubeObject, StoreEvent } from '../kube/index.js';

/** Labels and status are of no concern, for the status is our own doing; everything else that can change is. */
export function concernsOperator(event: StoreEvent<KubeObject>): boolean {
  if (event.type !== 'updated') return true;
  const [before, after] = [event.before.metadata, event.object.metadata];
  return (
    before.uid !== after.uid ||
    before.generation !== after.generation ||
    before.deletionTimestamp !== after.deletionTimestamp ||
    !isSame(before.finalizers, after.finalizers) ||
    !isSame(before.annotations, after.annotations)
  );
}
