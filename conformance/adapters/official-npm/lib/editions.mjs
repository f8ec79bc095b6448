/** The editions of the contract, and the one setting that tells them apart here. */

import { invalidParams } from './failure.mjs';

/** What the packages call themselves. */
export const RELEASE = '0.1.0-rc.8';

// The contract of this edition knows no todo setting, while the package
// requires one; the contract's rule is the strict policy.
const IMPLIED = { '2026-08': { todo: { allowParallelInProgress: false } }, [RELEASE]: {} };

/** The editions that the packages can be held against, nearest first. */
export const EDITIONS = [RELEASE, '2026-08'];

/** The configuration of a plugin as an edition implies it. */
export function configured(edition, { name, config }) {
  const implied = IMPLIED[edition][name];
  return implied === undefined ? config : { ...implied, ...config };
}

/** The edition as named, if it is known. */
export function editionNamed(edition) {
  if (EDITIONS.includes(edition)) return edition;
  throw invalidParams(`unknown edition ${JSON.stringify(edition)}; known: ${EDITIONS.join(', ')}`);
}
