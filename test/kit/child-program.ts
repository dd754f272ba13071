import { type ChildProcess, spawn } from 'node:child_process';

/** Module hooks that fall back from `.js` imports to the TypeScript source. */
const MODULE_HOOKS = `import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => {
    try { return next(name, context); } catch (error) {
      if (!name.endsWith('.js')) throw error;
      return next(name.slice(0, -3) + '.ts', context);
    }
  } });`;

/** Runs code in a separate process that tests can kill. The code can import our TypeScript sources. */
export function spawnProgram(program: string): ChildProcess {
  const hooks = `data:text/javascript,${encodeURIComponent(MODULE_HOOKS)}`;
  return spawn(
    process.execPath,
    ['--no-warnings', '--conditions=agent-traffic-source', '--import', hooks, '--input-type=module', '-e', program],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {},
    },
  );
}
