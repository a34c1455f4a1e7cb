/** Every business constant of the product, once. Units are in the names. */
export const limits = {
  /** Files up to this size go in one multipart request; larger ones are resumable. */
  resumableThresholdBytes: 262_144,
  /** Resumable uploads start with this chunk and double it after each success … */
  firstChunkBytes: 262_144,
  /** … while the next chunk stays below this. */
  chunkCeilingBytes: 33_554_432,
  maxOperationRetryMs: 120_000,
  maxUploadRetryMs: 600_000,
  /** Retry delay: starts here, doubles with jitter, up to `retryMaxFactor` times the start. */
  retryStartMs: 1_000,
  retryMaxFactor: 64,
  /** How large files may be, where the server is not set otherwise. */
  imageMaxBytes: 20_000_000,
  audioMaxBytes: 500_000_000,
  profilePictureMaxBytes: 5_000_000,
  /** Of profile pictures; a browser makes larger ones smaller before it sends them. */
  profilePictureMaxPixels: 4_000_000,
  sessionTickMs: 1_000,
  /** The admin sidebar collapses at this window width or less. */
  sidebarCollapsePx: 960,
  videoIdLength: 11,
  passwordMinLength: 8,
  passwordMaxLength: 128,
  contentRows: 20,
  chunkLoadTimeoutMs: 120_000,
  footerYear: 2025,

  titleMaxLength: 200,
  urlMaxLength: 2_048,
  contentMaxLength: 50_000,
  nameMaxLength: 120,
  emailMaxLength: 254,
  searchMaxLength: 100,
  categoryMaxLength: 60,
  /** How many users a search counts; beyond that it says "more than". */
  countedUsers: 1_000,
  pageMaxItems: 100,
  pageDefaultItems: 50,
  listMaxItems: 10_000,
  /** How much of a list one call gives to its page: some milliseconds of the server's work each. */
  summariesPerPart: 1_000,
  itemsPerPart: 250,
  latestActivities: 5,
} as const;

/** Where the three services listen in `npm run dev`, as the specification names them. */
export const devPorts = { auth: 9099, documents: 8080, storage: 9199 } as const;

/** Widths that images are also kept at, asked for with `&width=`; format by `Accept` (AVIF, WebP). */
export const imageWidths = [480, 960] as const;
