import { ensureCommands, findCommand } from '../stack/packages.ts';
import { ServerProcess } from '../stack/server-process.ts';
import { freePort, disposables } from './instance.js';

/** Redis server on localhost, without persistence. */
export class RedisServer {
  private constructor(readonly process: ServerProcess) {}

  static async start(...args: string[]): Promise<RedisServer> {
    await ensureCommands({ 'redis-server': 'redis-server' });
    const port = await freePort();
    const process = new ServerProcess({
      command: (await findCommand('redis-server'))!,
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...args],
      port,
    });
    const server = new RedisServer(process);
    disposables.add(server);
    await process.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.process.port}`;
  }

  async dispose(): Promise<void> {
    disposables.delete(this);
    await this.process.kill();
  }
}
