package io.fairlead.gateway.session;

/**
 * Where a stream's messages come from; asked to stop while the reader lags by half a ring.
 *
 * <p>Thread: owner loop.
 */
interface StreamSource {
  StreamSource NONE =
      new StreamSource() {
        @Override
        public void pause() {}

        @Override
        public void resume() {}
      };

  void pause();

  void resume();
}
