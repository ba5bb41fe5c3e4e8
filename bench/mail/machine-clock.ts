// Reads a clock that all processes of the machine share.

/** @returns Milliseconds since an instant that is the same in all processes. */
export const sharedNow = () => Number(process.hrtime.bigint()) / 1e6
