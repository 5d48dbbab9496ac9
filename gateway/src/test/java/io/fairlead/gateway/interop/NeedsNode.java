package io.fairlead.gateway.interop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Tests against npm packages: left out with one line where Node.js or npm is missing, a failure
 * with {@code -Dinterop=required}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsNode.Condition.class)
@interface NeedsNode {

  /** Looks for Node.js and the packages. Thread: the test's. */
  final class Condition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      Optional<String> missing = NodeModules.missing();
      if (missing.isEmpty()) {
        return ConditionEvaluationResult.enabled("Node.js and the npm packages are there");
      }
      if (NodeModules.REQUIRED) {
        throw new IllegalStateException("interop=required, but " + missing.get());
      }
      if (context.getTestMethod().isEmpty()) {
        System.err.println("left out: " + context.getDisplayName() + ": " + missing.get());
      }
      return ConditionEvaluationResult.disabled(missing.get());
    }
  }
}
