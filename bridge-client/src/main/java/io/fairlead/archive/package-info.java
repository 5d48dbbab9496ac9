/** How a fat jar gets the class archive with which it starts faster (docs/running.md). */
package io.fairlead.archive;
