/**
 * The one door by which a back end's words come in. What a BMC or Ironic says of a failed log-in may hold the very password
 * that it was tried with; nothing of that reaches a status, an event or the log.
 */
import type { BMCCredentials, EventPublisher, Provisioner } from '../../provisioner/index.js';

export type Mask = (text: string) => string;

/** A shorter password is masked where it stands alone: within words it would spell itself out by its gaps. */
const alwaysFrom = 6;

/** Replaces the password in every spelling in which it may come back. Pure. */
export function maskOf(credentials: BMCCredentials | undefined): Mask {
  const patterns = spellings(credentials?.password ?? '').map(patternOf);
  return (text) => patterns.reduce((masked, pattern) => masked.replace(pattern, '***'), text);
}

function spellings(secret: string): string[] {
  if (secret === '') return [];
  const escaped = JSON.stringify(secret).slice(1, -1);
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  const known = [secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret), base64];
  return [...new Set(known)].sort((a, b) => b.length - a.length);
}

function patternOf(spelling: string): RegExp {
  const literal = spelling.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(spelling.length >= alwaysFrom ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu');
}

export function discreetPublisher(publish: EventPublisher, mask: Mask): EventPublisher {
  return (reason, message) => publish(reason, mask(message));
}

/** The same provisioner, whose failures and errors do not tell the secret. */
export function discreet(provisioner: Provisioner, mask: Mask): Provisioner {
  return new Proxy(provisioner, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, args);
        return answer instanceof Promise ? answer.then(masking(mask), rethrowing(mask)) : answer;
      };
    },
  });
}

/** Failures have their message at the top, or in `result`. */
function masking(mask: Mask): (answer: unknown) => unknown {
  return (answer) => {
    if (typeof answer !== 'object' || answer === null) return answer;
    if ('kind' in answer && 'message' in answer) return { ...answer, message: mask(String(answer.message)) };
    return 'result' in answer ? { ...answer, result: masking(mask)(answer.result) } : answer;
  };
}

function rethrowing(mask: Mask): (error: unknown) => never {
  return (error) => {
    // Its class, code and retry class are what callers go by: only the words change.
    if (error instanceof Error) error.message = mask(error.message);
    throw error;
  };
}
