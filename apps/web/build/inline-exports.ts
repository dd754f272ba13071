import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';

/** Replaces the given modules with their exported values, so their imports aren't bundled. */
export function inlineExports(...files: string[]): Plugin {
  return {
    name: 'inline-exports',
    enforce: 'pre',
    async load(id) {
      if (!files.includes(id)) return null;
      const { exports, imports } = await evaluate(id);
      for (const file of imports) this.addWatchFile(file);
      return Object.entries(exports)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
        .join('');
    },
  };
}

interface EvaluatedModule {
  exports: Record<string, unknown>;
  imports: string[];
}

async function evaluate(file: string): Promise<EvaluatedModule> {
  const bundle = await rolldown({
    input: file,
    platform: 'node',
    resolve: { conditionNames: ['agent-traffic-source', 'import'] },
  });
  try {
    const { output } = await bundle.generate({ codeSplitting: false });
    const code = Buffer.from(output[0].code).toString('base64');
    const exports = (await import(`data:text/javascript;base64,${code}`)) as EvaluatedModule['exports'];
    return { exports, imports: await bundle.watchFiles };
  } finally {
    await bundle.close();
  }
}
