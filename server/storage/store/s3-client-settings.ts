import type { S3Settings } from '#server/environment-values.ts';

/** Client settings that work with every store that speaks S3, not only with Amazon's. */
export const s3ClientSettings = ({ endpoint, region, ...credentials }: Omit<S3Settings, 'bucket'>) =>
  ({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    // The SDK sends checksums by default, and some stores other than Amazon's refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }) as const;
