/** Ctrl-C and SIGTERM: the first one asks for an end in order, the second one ends at once. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Resolves with exit code 0 once the process is asked to end. */
  wait(): Promise<number>;
}

export function interruption(): Interruption {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const ended = new Promise<number>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(0));
  });
  return { signal: controller.signal, wait: () => ended };
}
