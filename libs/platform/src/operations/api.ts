import { Controller, Inject, type Type } from '@nestjs/common';
import type { BodyOf, Operation, ParamsOf, QueryOf } from '#libs/contracts';
import type { Static, TSchema } from 'typebox';
import { InternalClient } from '../internal/internal-client.js';
import { Handle } from './handle.js';

export type OperationInput<O extends Operation> = (O extends { params: object } ? { params: ParamsOf<O> } : unknown) &
  (O extends { query: object } ? { query: QueryOf<O> } : unknown) &
  (O extends { body: TSchema } ? { body: BodyOf<O> } : unknown);

export type OperationOutput<O extends Operation> = O extends { answer: TSchema } ? Static<O['answer']> : void;

type Operations = Readonly<Record<string, Operation>>;

/** API implementation with one method per operation, which has the same name. */
type Api<Ops extends Operations> = {
  [K in keyof Ops]: (input: OperationInput<Ops[K]>) => Promise<OperationOutput<Ops[K]>>;
};

/** Returns a base class that serves as an API's injection token. */
export const createApiToken = <Ops extends Operations>() => class {} as unknown as abstract new () => Api<Ops>;

/** Returns an API that calls another service's `internal` operations. All methods throw ProblemError. */
export function createHttpApi<Ops extends Operations>(client: InternalClient, operations: Ops): Api<Ops> {
  const methods = Object.entries(operations).map(([name, operation]) => [
    name,
    (input: object) => client.call(operation, input),
  ]);
  return Object.fromEntries(methods) as Api<Ops>;
}

/** Returns a controller that forwards each operation to the API method with the same name. */
export function createController<Ops extends Operations>(operations: Ops, api: abstract new () => Api<Ops>): Type {
  @Controller()
  class ForwardingController {
    constructor(@Inject(api) readonly api: Api<Ops>) {}
  }
  for (const [name, operation] of Object.entries(operations)) {
    const method = {
      configurable: true,
      value(this: ForwardingController, input: never) {
        return this.api[name]!(input);
      },
    };
    Handle(operation)(ForwardingController.prototype, name, method as unknown as TypedPropertyDescriptor<never>);
    Object.defineProperty(ForwardingController.prototype, name, method);
  }
  return ForwardingController;
}
