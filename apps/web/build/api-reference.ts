import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import type { Plugin } from 'vite';

/** The MIT License requires a notice in every copy, and the published script doesn't include one. */
const LICENSE_NOTICE =
  '/*! Scalar API Reference, copyright (c) 2023-present Scalar, MIT License: https://github.com/scalar/scalar */\n';

/** Bundles the gzipped Scalar script for `/docs/`, so its package isn't a production dependency. */
export function apiReference(fileName: string): Plugin {
  return {
    name: 'api-reference',
    apply: 'build',
    async generateBundle() {
      const source = await promisify(gzip)(LICENSE_NOTICE + (await fetchReferenceScript()), { level: 9 });
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** Gets the script from the Fastify plugin, because the package doesn't export it. */
async function fetchReferenceScript(): Promise<string> {
  const server = fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { content: {} } });
  const { statusCode, body } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode !== 200)
    throw new Error(
      `/docs/js/scalar.js returned ${statusCode}. Check where @scalar/fastify-api-reference serves its script.`,
    );
  return body;
}
