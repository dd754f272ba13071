import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import type { Plugin } from 'vite';

/** MIT wants it in copies, and the script has none of its own. */
const NOTICE =
  '/*! Scalar API Reference, copyright (c) 2023-present Scalar, MIT License: https://github.com/scalar/scalar */\n';

/**
 * Adds the script of the page at `/docs/` to the bundle, gzipped: its package, of which nothing else is used, then need
 * not be installed where the product runs.
 */
export function apiReference(fileName: string): Plugin {
  return {
    name: 'api-reference',
    apply: 'build',
    async generateBundle() {
      const source = await promisify(gzip)(NOTICE + (await referenceScript()), { level: 9 });
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** The package has the script only as an answer of its plugin. */
async function referenceScript(): Promise<string> {
  const server = fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { content: {} } });
  const { statusCode, body } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode !== 200) throw new Error(`@scalar/fastify-api-reference has no script (it answers ${statusCode})`);
  return body;
}
