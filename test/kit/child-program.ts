import { type ChildProcess, spawn } from 'node:child_process';

/** Resolves `.js` imports to the TypeScript source that they're compiled from. */
const HOOKS = `import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => {
    try { return next(name, context); } catch (error) {
      if (!name.endsWith('.js')) throw error;
      return next(name.slice(0, -3) + '.ts', context);
    }
  } });`;

/** Runs code that imports our sources in a separate process, so tests can kill it. */
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
