import { Controller, Inject, type Type } from '@nestjs/common';
import type { BodyOf, Operation, ParamsOf, QueryOf } from '#libs/contracts';
import type { Static, TSchema } from 'typebox';
import { InternalClient } from '../internal/internal-client.js';
import { Handle } from './handle.js';

export type AskOf<O extends Operation> = (O extends { params: object } ? { params: ParamsOf<O> } : unknown) &
  (O extends { query: object } ? { query: QueryOf<O> } : unknown) &
  (O extends { body: TSchema } ? { body: BodyOf<O> } : unknown);

export type JsonOf<O extends Operation> = O extends { answer: TSchema } ? Static<O['answer']> : void;

type Operations = Readonly<Record<string, Operation>>;

/** Implementation of operations: one method per operation, with the same name. */
type ApiOf<Ops extends Operations> = { [K in keyof Ops]: (ask: AskOf<Ops[K]>) => Promise<JsonOf<Ops[K]>> };

/** Returns a base class for the injection token of an API. */
export const apiToken = <Ops extends Operations>() => class {} as unknown as abstract new () => ApiOf<Ops>;

/** Returns an API that calls the `internal` operations of another service. All methods throw ProblemError. */
export function httpApi<Ops extends Operations>(client: InternalClient, operations: Ops): ApiOf<Ops> {
  const methods = Object.entries(operations).map(([name, operation]) => [
    name,
    (ask: object) => client.call(operation, ask),
  ]);
  return Object.fromEntries(methods) as ApiOf<Ops>;
}

/** Returns a controller that forwards each operation to the API method of the same name. */
export function controllerOf<Ops extends Operations>(operations: Ops, api: abstract new () => ApiOf<Ops>): Type {
  @Controller()
  class PassingOn {
    constructor(@Inject(api) readonly api: ApiOf<Ops>) {}
  }
  for (const [name, operation] of Object.entries(operations)) {
    const method = {
      configurable: true,
      value(this: PassingOn, ask: never) {
        return this.api[name]!(ask);
      },
    };
    Handle(operation)(PassingOn.prototype, name, method as unknown as TypedPropertyDescriptor<never>);
    Object.defineProperty(PassingOn.prototype, name, method);
  }
  return PassingOn;
}
