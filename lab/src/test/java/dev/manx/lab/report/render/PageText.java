/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Parts of a written page, for tests. */
public final class PageText {
  private static final String DATA = "<script type=\"application/json\" id=\"data\">";

  private PageText() {}

  /** The library of charts in every page. */
  public static String echarts() {
    return Assets.echarts();
  }

  /** A page without the library. */
  public static String own(String page) {
    return page.replace(echarts(), "");
  }

  /** The data of the page's charts. */
  public static JsonNode data(String page) throws Exception {
    int start = page.indexOf(DATA) + DATA.length();
    return new ObjectMapper().readTree(page.substring(start, page.indexOf("</script>", start)));
  }
}
