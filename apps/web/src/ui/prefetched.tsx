import { use, type ComponentType } from 'react';

/**
 * Returns a component whose file is being fetched, for use in a `Suspense`. Once the file is loaded, it renders
 * immediately. With `lazy`, React would first show the fallback, for at least 300 ms.
 */
export function prefetched<Props extends object>(file: Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const loading = file.then((component) => (Loaded = component));
  return function Prefetched(props: Props) {
    const Component = Loaded ?? use(loading);
    return <Component {...props} />;
  };
}
