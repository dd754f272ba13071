import { type ChildProcess, spawn } from 'node:child_process';

/** Sources import each other as `.js`, which is what they become. */
const HOOKS = `import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => {
    try { return next(name, context); } catch (error) {
      if (!name.endsWith('.js')) throw error;
      return next(name.slice(0, -3) + '.ts', context);
    }
  } });`;

/** Runs a program that imports our sources in a process of its own, which can be killed. */
export function spawnProgram(program: string): ChildProcess {
  const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`;
  return spawn(
    process.execPath,
    ['--no-warnings', '--conditions=agent-traffic-source', '--import', hooks, '--input-type=module', '-e', program],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {},
    },
  );
}
