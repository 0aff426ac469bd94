/* Lines that plans of examples/plans must find in Java, marked with > and the plan, and near misses, marked with <. */
package review;

import other.*;
import another.*;

class Review { //< never_called
  int[] table = new int[4];

  void fill(Missing a, int i) { //> never_called
    boolean done;
    if (done = i > 3) //> assignments_in_conditions
      return;
    if (i == 3) //< assignments_in_conditions
      table[i] = 1; //< computed_indexes
    table[i + 1] = 2; //> computed_indexes
    do {
      allocate(i); //< allocations_in_loops
    } while (false);
    while (i > 0) {
      allocate(i); //> allocations_in_loops
      i--;
    }
    switch (i) {
      case 1:
        break;
    }
    switch (i) {
      case 1:
        break;
      default:
        i = 2;
    }
    String name = "/tmp/a.log"; //> names_of_files
    name = "either/or this"; //< names_of_files
  }

  static void allocate(int size) { //< never_called
    long wide = size;
    int again = (int) wide; //> narrowing_casts
    long same = (long) size; //< narrowing_casts
  }

  void send(Unknown a, Missing b) {} //> never_called

  void send(Missing a, Unknown b) {} //> never_called

  void read(byte[] to, int from, int length, java.io.InputStream in) throws Exception { //> never_called
    in.read(to, from, length - 1); //> parameters_as_lengths //> unused_results //> indirect_calls
    int count = in.read(to, 0, 8); //< unused_results //> indirect_calls //< parameters_as_lengths
    allocate(count); //< indirect_calls
  }

  void loops(int n) { //> never_called
    for (int j = 0, k = allocated(n); j < k; j++) //< allocations_in_loops
      n--;
    for (;;)
      n = allocated(n); //> allocations_in_loops
  }

  static int allocated(int n) { //< never_called
    return n;
  }
}
