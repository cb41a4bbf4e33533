import { gatewayError } from './api-error.js';
import type { Json } from './json.js';

export interface ApiRequest {
  method: string;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: Json | undefined;
  /** Minor version of API 1 that the request asked for. */
  minor: number;
  /** Root of this server, without a trailing slash. */
  baseUrl: string;
}

export interface Answer {
  status: number;
  body?: Json;
  location?: string;
}

export interface Route {
  method: string;
  /** Path with `{parameter}` segments. */
  template: string;
  handle(request: ApiRequest): Answer | Promise<Answer>;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

/** Finds the handler of a path; the paths work with and without `/v1` in front. */
export class Router {
  private readonly byLength = new Map<number, { segments: string[]; route: Route }[]>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const segments = segmentsOf(route.template);
      const same = this.byLength.get(segments.length) ?? [];
      same.push({ segments, route });
      this.byLength.set(segments.length, same);
    }
  }

  /** @throws ApiError 404 for an unknown path, 405 for a known one with another method */
  match(method: string, path: string): Match {
    const segments = segmentsOf(path);
    const versioned = segments.length === 0 || segments[0] === 'v1' ? segments : ['v1', ...segments];
    const fitting = (this.byLength.get(versioned.length) ?? []).filter((entry) => fits(entry.segments, versioned));
    if (fitting.length === 0) throw gatewayError(404, 'Not Found');
    // What is spelled out goes before what stands for any word.
    const fewest = Math.min(...fitting.map(({ segments: template }) => wildcards(template)));
    const candidates = fitting.filter(({ segments: template }) => wildcards(template) === fewest);
    const entry = candidates.find((candidate) => candidate.route.method === method);
    if (!entry) throw gatewayError(405, 'Method Not Allowed');
    const params: Record<string, string> = {};
    entry.segments.forEach((segment, index) => {
      if (segment.startsWith('{')) params[segment.slice(1, -1)] = versioned[index] ?? '';
    });
    return { route: entry.route, params };
  }
}

function wildcards(template: readonly string[]): number {
  return template.filter((segment) => segment.startsWith('{')).length;
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return template.every((segment, index) => segment.startsWith('{') || segment === segments[index]);
}

function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw gatewayError(404, 'Not Found');
  }
}

/** The names in `?fields=a,b`, or undefined when there is no such parameter. */
export function fieldsOf(query: URLSearchParams): string[] | undefined {
  const text = query.get('fields');
  return text === null ? undefined : text.split(',').map((field) => field.trim());
}
