package io.fairlead.gateway.route;

/**
 * How fast the catalog does things again, and how long it waits.
 *
 * @param firstMillis wait after the first failure; each further one doubles it
 * @param mostMillis the longest wait; a link that lived this long starts over with the shortest
 * @param restMillis from one read of a list to the next, at least
 * @param readMillis bound of reading one list, with all its pages
 */
record Pace(long firstMillis, long mostMillis, long restMillis, long readMillis) {
  static final Pace USUAL = new Pace(250, 10_000, 1_000, 30_000);

  /** The wait after so many failures in a row, at least one. */
  long backOff(int failures) {
    return Math.min(mostMillis, firstMillis << Math.min(failures - 1, 20));
  }
}
