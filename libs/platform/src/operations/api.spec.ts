import { Module } from '@nestjs/common';
import { internal, operation } from '#libs/contracts';
import { pino } from 'pino';
import { Type } from 'typebox';
import { createHttpApp } from '../http-app.js';
import { registerInternalAccess } from '../internal/internal-access.js';
import { InternalClient } from '../internal/internal-client.js';
import { PlatformModule } from '../platform.module.js';
import { notFound } from './read-request.js';
import { apiToken, controllerOf, httpApi, type AskOf } from './api.js';

const words = {
  description: '',
  schema: Type.Array(Type.String()),
  fault: '',
  read: (texts: readonly string[]) => (texts.length === 0 ? null : [...texts]),
};
const about = { access: 'authenticated', tag: '', summary: '' } as const;
const find = operation({
  ...about,
  method: 'get',
  path: '/api/words/{word}',
  id: 'findWord',
  params: { word: { description: '', schema: Type.String() } },
  query: { in: words, but: words },
  answer: Type.Object({ asked: Type.Unknown() }),
});
const add = operation({
  ...about,
  method: 'post',
  path: '/api/words',
  id: 'addWord',
  body: Type.Object({ word: Type.String() }),
  status: 201,
  answer: Type.String(),
});
const remove = operation({ ...about, method: 'delete', path: '/api/words', id: 'removeWords', status: 204 });
const OPERATIONS = { find: internal(find), add: internal(add), remove: internal(remove) };

abstract class Words extends apiToken<typeof OPERATIONS>() {}

const answering: Words = {
  find: async ({ params, query }: AskOf<typeof find>) => ({ asked: { params, query } }),
  add: async ({ body }: AskOf<typeof add>) => JSON.stringify(body.word),
  remove: async () => {
    throw notFound('word');
  },
};

@Module({
  imports: [PlatformModule.forRoot(pino({ level: 'silent' }))],
  controllers: [controllerOf(OPERATIONS, Words)],
  providers: [{ provide: Words, useValue: answering }],
})
class WordsModule {}

it('calls the operations of another service like local ones', async () => {
  const app = await createHttpApp(WordsModule, pino({ level: 'silent' }));
  registerInternalAccess(app.getHttpAdapter().getInstance(), 'the-secret-of-the-services', Object.values(OPERATIONS));
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const client = new InternalClient({ service: 'words', url, secret: 'the-secret-of-the-services' });
  const api = httpApi(client, OPERATIONS);
  try {
    const ask = { params: { word: 'a/b ö?' }, query: { in: ['x&y', 'z'], but: null } };
    expect(await api.find(ask)).toEqual({ asked: ask });
    expect(await api.add({ body: { word: 'ö' } })).toBe('ö');
    await expect(api.add({ body: { word: 7 } } as never)).rejects.toMatchObject({
      type: 'invalid-body',
      errors: [{ pointer: '/word', detail: 'must be string' }],
    });
    await expect(api.remove({})).rejects.toMatchObject({ type: 'not-found', message: 'There is no such word.' });
  } finally {
    await client.close();
    await app.close();
  }
});
