/**
 * Lets a plugin import `ironchart/provisioner` from wherever it lies, and get the very module that the operator uses, so that
 * the contract's errors are the same classes.
 */
import { register } from 'node:module';

const doors = ['apis', 'hardware', 'provisioner'] as const;

/** For the whole process; to be called once, before the first plugin is loaded. */
export function resolveOwnModules(): void {
  const places = Object.fromEntries(
    doors.map((door) => [`ironchart/${door}`, new URL(`../../${door}/index.js`, import.meta.url).href]),
  );
  const source = `const places = ${JSON.stringify(places)};
export function resolve(specifier, context, next) {
  const url = places[specifier];
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
}`;
  register(`data:text/javascript,${encodeURIComponent(source)}`);
}
