import { use, type ComponentType } from 'react';

/**
 * Returns a component whose module is already loading, for use in `Suspense`. Once loaded, it renders immediately. With
 * `lazy`, React would first show the fallback for at least 300 ms.
 */
export function preloadComponent<Props extends object>(
  componentPromise: Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const loading = componentPromise.then((component) => (Loaded = component));
  return function Prefetched(props: Props) {
    const Component = Loaded ?? use(loading);
    return <Component {...props} />;
  };
}
