/** The log: JSON lines on standard error, fields chosen one by one. Nothing that holds a Secret is ever passed to it. */
import pino from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export function createLog(level: LogLevel, destination: NodeJS.WritableStream = process.stderr): Log {
  const options: pino.LoggerOptions = {
    level,
    base: undefined,
    messageKey: 'msg',
    formatters: { level: (label) => ({ level: label }) },
    // A second wall: whatever slips in under these names is not printed.
    redact: { paths: ['password', '*.password', 'credentials', '*.credentials', 'data', '*.data'], censor: '***' },
  };
  return pino(options, destination);
}
