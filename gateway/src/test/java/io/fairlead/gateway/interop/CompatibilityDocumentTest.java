package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/compatibility.md} is what the last run of the matrix found, which writes both. A new
 * explanation alone is taken in with {@code -Dmatrix.write=true}.
 */
class CompatibilityDocumentTest {
  @Test
  void documentSaysWhatTheMatrixFound() throws IOException {
    CompatibilityPage page = CompatibilityPage.of(MatrixResults.shown());
    if (Boolean.getBoolean("matrix.write")) {
      page.publish();
    }
    assertEquals(Files.readString(CompatibilityPage.DOCUMENT), page.text());
  }

  @Test
  void everyCellThatIsNotAsOneWouldWishIsExplained() throws IOException {
    assertEquals(List.of(), CompatibilityPage.of(MatrixResults.shown()).unexplained());
  }
}
