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
  return (text) => patterns.reduce((masked, pattern) => masked.replace(pattern, '***'), withoutLogins(text));
}

/** A login in a URL, such as that of an image, is one too. */
function withoutLogins(text: string): string {
  return text.replace(/(?<=:\/\/[^\s/?#@:]*:)[^\s/?#@]*(?=@)/g, '***');
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

export type CredentialsReader = () => Promise<BMCCredentials | undefined>;

/** Reads a host's credentials at most once, and knows from then on what must not be told. */
export class Discretion {
  #credentials: ReturnType<CredentialsReader> | undefined;
  #mask: Mask = withoutLogins;

  constructor(private readonly read: CredentialsReader) {}

  readonly credentials: CredentialsReader = () => (this.#credentials ??= this.#take());

  /** Whoever has told a secret has read it before, through here. */
  publisher(publish: EventPublisher): EventPublisher {
    return (reason, message) => publish(reason, this.#mask(message));
  }

  /** A back end may know the password from an earlier pass: its words are checked against it in any case. */
  async mask(): Promise<Mask> {
    await this.credentials();
    return this.#mask;
  }

  async #take(): Promise<BMCCredentials | undefined> {
    const credentials = await this.read();
    this.#mask = maskOf(credentials);
    return credentials;
  }
}

/** The same provisioner, whose failures and errors do not tell the secret. */
export function discreet(provisioner: Provisioner, discretion: Pick<Discretion, 'mask'>): Provisioner {
  return new Proxy(provisioner, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, args);
        return answer instanceof Promise ? answer.then(masking(discretion), rethrowing(discretion)) : answer;
      };
    },
  });
}

/** What of an answer is words of the back end: why it failed, what it waits for, what of the machine is odd. */
const words = ['message', 'waitsFor', 'contradiction'];

/** They are at the top, or in `result`. */
function masking(discretion: Pick<Discretion, 'mask'>): (answer: unknown) => Promise<unknown> {
  return async (answer) => {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
    const told = Object.entries(answer).filter(([name, text]) => words.includes(name) && typeof text === 'string');
    if (told.length > 0) {
      const mask = await discretion.mask();
      return { ...answer, ...Object.fromEntries(told.map(([name, text]) => [name, mask(String(text))])) };
    }
    return 'result' in answer ? { ...answer, result: await masking(discretion)(answer.result) } : answer;
  };
}

function rethrowing(discretion: Pick<Discretion, 'mask'>): (error: unknown) => Promise<never> {
  return async (error) => {
    // Its class, code and retry class are what callers go by: only the words change.
    if (error instanceof Error) error.message = (await discretion.mask())(error.message);
    throw error;
  };
}
