import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import type { Plugin } from 'vite';

/** The MIT License requires a notice in copies. The script doesn't contain one. */
const NOTICE =
  '/*! Scalar API Reference, copyright (c) 2023-present Scalar, MIT License: https://github.com/scalar/scalar */\n';

/** Adds the gzipped script of the page `/docs/` to the bundle, so its package isn't needed in production. */
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

/** Reads the script through the plugin, because the package doesn't export it. */
async function referenceScript(): Promise<string> {
  const server = fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { content: {} } });
  const { statusCode, body } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode !== 200) throw new Error(`@scalar/fastify-api-reference has no script (it answers ${statusCode})`);
  return body;
}
