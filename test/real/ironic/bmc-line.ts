/** The line to a machine's BMC, which a test can cut or hold up, while the other machines' BMCs on the same emulator go on. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Bed } from './bed.js';

export class BmcLine {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #isHeld = false;

  /** @param bmcURL of the emulator */
  private constructor(private readonly bmcURL: URL) {}

  static async open(bed: Bed): Promise<BmcLine> {
    const line = new BmcLine(new URL(bed.read('bmc-url')));
    await line.mend();
    return line;
  }

  /** For spec.bmc.address: machine N by way of this line. */
  addressOf(bed: Bed, number: number): string {
    return bed.machine(number).address.replace(this.bmcURL.host, `127.0.0.1:${this.#port}`);
  }

  /** Connections are refused from now on, and those that there were are gone. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** On the same port as before. */
  mend(): Promise<void> {
    this.#server = createServer((socket) => this.#forward(socket));
    return new Promise((resolve) => {
      this.#server!.listen(this.#port, '127.0.0.1', () => {
        this.#port = (this.#server!.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  /** Takes requests and keeps them, until `release`. */
  hold(): void {
    this.#isHeld = true;
    for (const socket of this.#sockets) socket.pause();
  }

  release(): void {
    this.#isHeld = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #forward(near: Socket): void {
    const far = connect({ host: this.bmcURL.hostname, port: Number(this.bmcURL.port) });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.on('data', (chunk) => other.write(chunk));
      one.on('end', () => other.end());
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      if (this.#isHeld) one.pause();
    }
  }
}
