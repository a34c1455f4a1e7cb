/** The ports of the three services in `npm run dev`, as the specification names them. */
export const devPorts = { auth: 9099, documents: 8080, storage: 9199 } as const;
