import { devPorts } from '#contract/dev-ports.ts';

const at = (port: number) => `${window.location.protocol}//${window.location.hostname}:${port}`;

/** The origins of the services. In development, each service has its own port. */
export const origins = import.meta.env.DEV
  ? { auth: at(devPorts.auth), documents: at(devPorts.documents), storage: at(devPorts.storage) }
  : { auth: '', documents: '', storage: '' };
