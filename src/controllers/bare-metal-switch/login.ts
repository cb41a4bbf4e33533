/** How one logs in to a switch, as its Secret says. Pure. */
import type { SecretObject } from '../../kube/index.js';
import { lineProblem } from './file-line.js';

export interface Login {
  readonly username: string;
  /** A password, or a private key for SSH: its bytes in base64. */
  readonly proof: { readonly password: string } | { readonly privateKey: string };
  /** For the privileged mode. "": it needs none. */
  readonly adminPassword: string;
}

export type LoginReading = { readonly login: Login } | { readonly problem: string };

/** A key wins over a password. Blanks around a value go: whoever reads the file takes them off too. */
export function loginOf(secret: SecretObject): LoginReading {
  const problems: string[] = [];
  const line = (key: string, isNeeded: boolean): string => {
    const { value, problem } = lineOf(secret, key);
    if (problem !== undefined && (isNeeded || value !== '')) problems.push(`${key} ${problem}`);
    return value;
  };
  const username = line('username', true);
  const adminPassword = line('admin-password', false);
  const privateKey = secret.data?.['ssh-privatekey'] ?? '';
  const proof = privateKey === '' ? { password: line('password', true) } : { privateKey };
  const [first] = problems;
  if (first === undefined) return { login: { username, proof, adminPassword } };
  const name = `the Secret ${secret.metadata.name}`;
  return { problem: `${name}: ${first}: ${remedyFor(first)}` };
}

function remedyFor(problem: string): string {
  return problem.startsWith('password is missing') ? 'set password or ssh-privatekey' : 'set it to one line of text';
}

function lineOf(secret: SecretObject, key: string): { value: string; problem: string | undefined } {
  const bytes = secret.data?.[key];
  if (bytes === undefined) return { value: '', problem: 'is missing' };
  try {
    const value = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes, 'base64')).trim();
    return { value, problem: lineProblem(value) };
  } catch {
    return { value: '?', problem: 'is no text in UTF-8' };
  }
}
