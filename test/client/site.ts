import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { disposables, until } from '../kit/instance.ts';
import { createSiteProgram, type Framework } from './site-programs.ts';

/** Client address forwarded by the proxy in front of the site. */
export const VISITOR_ADDRESS = '203.0.113.7';
const GPTBOT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';

interface SiteOptions {
  /** Instance to report to. If omitted, the site doesn't use the client. */
  reportsTo?: { url: string; accessToken: string };
}

export class Site {
  private readonly agent = new Agent({ keepAlive: true });
  private output = '';
  private readonly child: ChildProcess;
  private readonly framework: Framework;

  private constructor(child: ChildProcess, framework: Framework) {
    this.child = child;
    this.framework = framework;
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => (this.output += String(chunk)));
    }
    disposables.add(this);
  }

  static async start(framework: Framework, { reportsTo }: SiteOptions): Promise<Site> {
    const program = createSiteProgram(framework, reportsTo !== undefined);
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: reportsTo ? { AGENT_TRAFFIC_URL: reportsTo.url, AGENT_TRAFFIC_TOKEN: reportsTo.accessToken } : {},
    });
    const site = new Site(child, framework);
    await site.waitForOutput(/port (\d+)/);
    return site;
  }

  get port(): number {
    return Number(/port (\d+)/.exec(this.output)![1]);
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
    return this.send('GET', path, headers);
  }

  async callTool(name: string): Promise<{ status: number; body: string }> {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const params = { name, _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'claude', version: '1.2' } } };
    return this.send('POST', '/mcp', headers, JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }));
  }

  /** Requests a page that never responds, then disconnects. */
  async abortRequest(): Promise<void> {
    const abortedRequest = request({
      port: this.port,
      host: '127.0.0.1',
      path: '/slow',
      headers: { 'user-agent': GPTBOT },
    });
    abortedRequest.on('error', () => undefined).end();
    await this.waitForOutput(/slow/);
    abortedRequest.destroy();
  }

  /**
   * Requests `count` pages, `concurrency` at a time.
   *
   * @returns the paths
   */
  async visit(count: number, concurrency: number, from = 0): Promise<string[]> {
    const paths = Array.from({ length: count }, (_, index) => `/page/${this.framework}/${from + index}`);
    const remainingPaths = paths.values();
    const visitor = async (): Promise<void> => {
      for (const path of remainingPaths) {
        const { status } = await this.get(path);
        if (status !== 200) throw new Error(`${path} returned status ${status}\n${this.output}`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, visitor));
    return paths;
  }

  /**
   * Stops the site as an orchestrator would.
   *
   * @returns the signal that ended the site, or its exit code
   */
  async stop(): Promise<NodeJS.Signals | number | null> {
    disposables.delete(this);
    this.agent.destroy();
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    return this.child.signalCode ?? this.child.exitCode;
  }

  async dispose(): Promise<void> {
    disposables.delete(this);
    this.child.kill('SIGKILL');
  }

  private async waitForOutput(pattern: RegExp): Promise<void> {
    await until(
      () => {
        if (this.child.exitCode !== null) throw new Error(`The site exited:\n${this.output}`);
        return pattern.test(this.output);
      },
      { condition: `the site prints ${pattern}`, explain: () => this.output },
    );
  }

  private async send(method: string, path: string, headers: Record<string, string>, body?: string) {
    const clientRequest = request({
      port: this.port,
      host: '127.0.0.1',
      path,
      method,
      agent: this.agent,
      headers: { 'user-agent': GPTBOT, 'x-forwarded-for': VISITOR_ADDRESS, ...headers },
    }).end(body);
    const [response] = (await once(clientRequest, 'response')) as [import('node:http').IncomingMessage];
    return { status: response.statusCode!, body: await text(response) };
  }
}
